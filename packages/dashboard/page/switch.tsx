interface SwitchProps<T extends string> {
  /** What it chooses, for readers that do not see it. */
  readonly label: string;
  /** The names of the values. */
  readonly names: Readonly<Record<T, string>>;
  readonly value: T;
  readonly onChoose: (value: T) => void;
}

/** One of a few views. */
export function Switch<T extends string>({ label, names, value, onChoose }: SwitchProps<T>) {
  return (
    <div class="switch" role="group" aria-label={label}>
      {(Object.keys(names) as T[]).map((each) => (
        <button key={each} type="button" aria-pressed={each === value} onClick={() => onChoose(each)}>
          {names[each]}
        </button>
      ))}
    </div>
  );
}
