/** Sum of an order in cents. */
export function total(_lines) {
  throw new Error("not written yet");
}
