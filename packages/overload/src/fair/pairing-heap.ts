/** An item of a heap, and the items below it. */
interface Node<T> {
  readonly item: T;
  child: Node<T> | undefined;
  next: Node<T> | undefined;
}

/** Items of which the first is known. Two heaps become one in a single step; an item is taken out in O(log n), amortized. */
export class PairingHeap<T> {
  readonly #isBefore: (one: T, other: T) => boolean;
  #root: Node<T> | undefined;

  constructor(isBefore: (one: T, other: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get first(): T | undefined {
    return this.#root?.item;
  }

  push(item: T): void {
    const node = { item, child: undefined, next: undefined };
    this.#root = this.#root === undefined ? node : this.#joined(this.#root, node);
  }

  /** Takes the first item out. */
  shift(): void {
    let pairs: Node<T> | undefined;
    // Pairs of neighbours, and then all pairs: in loops, because a heap may be as deep as it is large.
    for (let one = this.#root?.child; one !== undefined;) {
      const other: Node<T> | undefined = one.next;
      const rest: Node<T> | undefined = other?.next;
      const pair: Node<T> = other === undefined ? one : this.#joined(one, other);
      pair.next = pairs;
      pairs = pair;
      one = rest;
    }
    let root: Node<T> | undefined;
    while (pairs !== undefined) {
      const rest: Node<T> | undefined = pairs.next;
      root = root === undefined ? pairs : this.#joined(root, pairs);
      pairs = rest;
    }
    if (root !== undefined) root.next = undefined;
    this.#root = root;
  }

  /** Takes all items of another heap. */
  absorb(other: PairingHeap<T>): void {
    if (other.#root === undefined) return;
    this.#root = this.#root === undefined ? other.#root : this.#joined(this.#root, other.#root);
    other.#root = undefined;
  }

  #joined(one: Node<T>, other: Node<T>): Node<T> {
    const [above, below] = this.#isBefore(other.item, one.item) ? [other, one] : [one, other];
    below.next = above.child;
    above.child = below;
    above.next = undefined;
    return above;
  }
}
