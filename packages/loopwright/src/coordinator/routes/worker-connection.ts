import type { ServerResponse } from "node:http";
import type { ProcessIdentity } from "@loopwright/protocol";
import type { Connection } from "../connection.ts";
import { sendJson, sendProblem } from "../../read-api/http/problem.ts";

export function connectionOf(response: ServerResponse, worker: ProcessIdentity): Connection {
  const over = new Promise<void>((resolve) => {
    response.once("finish", resolve);
    response.once("close", resolve);
  });
  return {
    worker,
    open: () =>
      !response.destroyed && !response.writableEnded && response.socket?.readyState === "open",
    answer: (body) => sendJson(response, body),
    refuse: (error, more) => sendProblem(response, error, more),
    drop: () => void response.destroy(),
    over,
  };
}
