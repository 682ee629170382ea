import { type Static, Type } from "typebox";
import type { JsonObject } from "./json.ts";

const closed = { additionalProperties: false } as const;
const Words = Type.String({ minLength: 1 });

const AskedQuestion = Type.Object(
  {
    question: Words,
    header: Type.Optional(Type.String()),
    multiSelect: Type.Optional(Type.Boolean({ description: "Whether several may be chosen." })),
    options: Type.Array(
      Type.Object(
        {
          label: Words,
          description: Type.Optional(Type.String()),
          preview: Type.Optional(Type.String({ description: "What that would look like." })),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type AskedQuestion = Static<typeof AskedQuestion>;

/** Questions of an agent's to the person, with options to choose from. */
export const AskedQuestions = Type.Array(AskedQuestion, { minItems: 1, maxItems: 16 });

/** The answer to each question, by its text; several choices with a comma between them. */
export const GivenAnswers = Type.Record(
  Type.String({ maxLength: 4_096 }),
  Type.String({ minLength: 1, maxLength: 4_096 }),
  { maxProperties: 16 },
);
export type GivenAnswers = Readonly<Static<typeof GivenAnswers>>;

/** Of a call that an agent's catalogue has accepted as one of `answer_question`. */
export const questionsIn = ({ questions }: JsonObject) =>
  questions as unknown as readonly AskedQuestion[];

/** Whether it answers each of these, and nothing else. */
export const answersAll = (
  questions: readonly AskedQuestion[],
  given: GivenAnswers | undefined,
): boolean =>
  given !== undefined &&
  Object.keys(given).length === questions.length &&
  questions.every(
    ({ question }) => Object.hasOwn(given, question) && given[question]?.trim() !== "",
  );
