/**
 * What happens when a reader goes away. `exit`: a command that prints for somebody (`| head`) ends quietly. `go-on`: a
 * coordinator or worker whose `run` was killed keeps working for nobody's ears.
 */
export function guardOutput(onGone: "exit" | "go-on"): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
      if (onGone === "exit") process.exit(0);
    });
  }
}
