/** What the action throws, as a value. Throws itself when the action does not. */
export function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown");
}
