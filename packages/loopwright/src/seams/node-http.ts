/**
 * Node's HTTP module, without `import`: importing it touches every one of its exports, among them those that load
 * undici, which costs each process 14 MB.
 */
export const http = process.getBuiltinModule("node:http");
