/** A queue before something scarce, as a shedder sees it. */
export interface ScarceQueue {
  readonly name: string;
  /** How overloaded it is. 0: calm. 100: all sheddable acquisitions are refused. 200: all normal ones too. */
  readonly level: number;
  /** Milliseconds that acquisitions have waited at least, in each of the last two slices of 100 ms. */
  readonly standing: number;
  /** A request was refused for its level before it could acquire. */
  countRefusal?(priority: 'normal' | 'sheddable'): void;
}
