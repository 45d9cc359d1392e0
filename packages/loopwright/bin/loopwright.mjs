#!/usr/bin/env node
// Written so that a Node of any age parses it and can say in one sentence that it is too old.
var version = process.versions.node.split(".").map(Number);
var atLeast = function (major, minor) {
  return version[0] > major || (version[0] === major && version[1] >= minor);
};

if (!atLeast(20, 19)) {
  process.stderr.write(
    "loopwright needs Node 22.18 or later (20.19 at the very least); this is " +
      process.versions.node +
      ".\n",
  );
  process.exitCode = 5;
} else {
  if (!atLeast(22, 18)) {
    process.stderr.write(
      "loopwright is tested on Node 22.18 and later; this is " + process.versions.node + ".\n",
    );
  }
  void Promise.all([import("node:module"), import("node:os")]).then(function (modules) {
    // In the user's own folder: Node's default is one that all users of the machine share.
    var folder = process.env.XDG_CACHE_HOME || modules[1].homedir() + "/.cache";
    var module = modules[0].default;
    if (module.enableCompileCache) module.enableCompileCache(folder + "/loopwright/compiled");
    return import("../dist/main.mjs");
  });
}
