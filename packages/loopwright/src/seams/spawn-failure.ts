/**
 * What to do about a process that could not be started. Where the reason is a lack of descriptors, node leaves the pipes
 * of the child undefined, whatever its types say.
 */
export function spawnHint({ code }: NodeJS.ErrnoException): string | undefined {
  switch (code) {
    case "EMFILE":
    case "ENFILE":
      return "Allow more open files: ulimit -n 1024";
    case "EAGAIN":
    case "ENOMEM":
      return "Allow more processes (ulimit -u), or end what fills the machine.";
    default:
      return undefined;
  }
}
