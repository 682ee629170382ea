const NAME = "TimeoutError";

/** Why a question is given up that nobody has answered in the time there is; like `AbortSignal.timeout`. */
export const timeIsUp = (): DOMException => new DOMException("Time is up.", NAME);

export const isTimeUp = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === NAME;
