/** As a shell tells a death by SIGPIPE: what the command would have ended with isn't known. */
export const CUT_OFF = 141;
/** As a shell tells a death by SIGHUP. */
const HUNG_UP = 129;

/**
 * What happens when a reader goes away. `go-on`: a coordinator or worker whose `run` was killed keeps working for
 * nobody's ears. Else the command ends quietly: with its own exit code if it has come to one, with `cut()` where the
 * reader of its stdout had enough (`| head`), and with 141 where nobody hears what is wrong.
 */
export function guardOutput(onGone: "go-on" | { readonly cut: () => number }): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (onGone === "go-on") return;
      const { code } = error;
      if (code === "EPIPE")
        process.exit(process.exitCode ?? (stream === process.stdout ? onGone.cut() : CUT_OFF));
      if (code === "EIO") process.exit(HUNG_UP);
      if (stream === process.stdout)
        process.stderr.write(`error: the output can't be written (${code ?? error.message})\n`);
      process.exit(1);
    });
  }
}
