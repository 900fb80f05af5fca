export interface BarPart {
  readonly kind: string;
  readonly value: number;
}

interface BarProps {
  readonly parts: readonly BarPart[];
  /** What the whole bar stands for. @default the sum of its parts */
  readonly whole?: number;
}

/** Parts of a whole, as a bar. Its numbers stand beside it. */
export function Bar({ parts, whole = parts.reduce((sum, { value }) => sum + value, 0) }: BarProps) {
  return (
    <div class="bar" aria-hidden="true">
      {parts.map(({ kind, value }) => (
        <span
          key={kind}
          class={`bar-${kind}`}
          style={{ width: `${whole === 0 ? 0 : Math.min(100, (value / whole) * 100)}%` }}
        />
      ))}
    </div>
  );
}
