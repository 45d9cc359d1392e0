/**
 * Node's `http`, without its ES module facade: `import "node:http"` evaluates every export of it, among them lazy ones
 * that load all of undici (measured: 14 MB and 70 ms or more, for a WebSocket that nobody wants here).
 */
export const http = process.getBuiltinModule("node:http");
