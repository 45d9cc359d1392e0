/** Node 20 runs the bundle, but for what it lacks; put in place before anything else is loaded. */
export function completeOlderNode(): void {
  if ("withResolvers" in Promise) return;
  Object.assign(Promise, {
    withResolvers<T>() {
      let resolve: (value: T | PromiseLike<T>) => void = () => undefined;
      let reject: (reason?: unknown) => void = () => undefined;
      const promise = new Promise<T>((settle, refuse) => {
        resolve = settle;
        reject = refuse;
      });
      return { promise, resolve, reject };
    },
  });
}
