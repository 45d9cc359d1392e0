import type { JournalRecordOf } from "@loopwright/protocol";
import type { Stamp, State } from "./state.ts";

type GuidanceRecord =
  | JournalRecordOf<"input_received">
  | JournalRecordOf<"input_delivered">
  | JournalRecordOf<"input_disposed">
  | JournalRecordOf<"question_asked">
  | JournalRecordOf<"question_answered">;

/** Guidance stands until it is disposed of; a question until it is answered. An answer is guidance from then on. */
export function foldGuidance(state: State, { type, data }: GuidanceRecord, stamp: Stamp): State {
  switch (type) {
    case "input_received":
      return receive(state, { id: data.id, text: data.text, at: data.at });
    case "input_delivered":
      return {
        ...state,
        inputs: state.inputs.map((input) =>
          data.ids.includes(input.id)
            ? { ...input, delivered: [...input.delivered, data.iteration].slice(-DELIVERIES_KEPT) }
            : input,
        ),
      };
    case "input_disposed":
      return { ...state, inputs: state.inputs.filter((input) => input.id !== data.id) };
    case "question_asked": {
      const { id, text, options = [], blocking, iteration } = data;
      const otherwise = data.default === undefined ? {} : { default: data.default };
      return {
        ...state,
        questions: [
          ...state.questions.filter((question) => question.id !== id),
          { id, text, options, ...otherwise, blocking, iteration },
        ],
      };
    }
    case "question_answered": {
      const question = state.questions.find((each) => each.id === data.id);
      const asked = { ...state, questions: state.questions.filter((each) => each.id !== data.id) };
      return receive(asked, {
        id: data.id,
        text: `Answer to "${question?.text ?? data.id}": ${data.text}`,
        at: stamp.at,
      });
    }
  }
}

/** What a reader sees of deliveries; bounded, as guidance may stand for thousands of iterations. */
const DELIVERIES_KEPT = 20;

function receive(state: State, input: { id: string; text: string; at: string }): State {
  return {
    ...state,
    inputs: [...state.inputs, { ...input, delivered: [] }],
    received: new Set([...state.received, input.id]),
  };
}
