/** What a feature does with the state of one key beside requests. */
export interface KeyAct {
  /** Names a script, and the step of the algorithm that does the same. */
  readonly name: string;
  readonly args: ActValues;
}

/** Integers and texts, as a script reads and tells them. */
export type ActValues = readonly (number | string)[];
