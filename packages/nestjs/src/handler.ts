/** A controller, or whatever else is a class. */
export type Class = abstract new (...args: never[]) => object;

/** A method, as a class has it. */
export type Method = (...args: never[]) => unknown;

/** A handler of requests, where it is written. */
export interface Handler {
  readonly controller: Class;
  /** The method's, as its class has it. */
  readonly name: string;
  readonly method: Method;
  /** What Nest calls for it: the method, or what stands in its place on the objects of its controller. */
  readonly called: readonly Method[];
  /** Paths that `RouterModule` gives the modules of its controller; one of them is empty where there is none. */
  readonly prefixes: readonly string[];
}
