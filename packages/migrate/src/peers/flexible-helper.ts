import type { SourceFile } from '../source/source-file.js';

/** What stands at the end of a file that makes limiters: the interface that the code around knows. */
export function helperText(file: SourceFile): string {
  const { isTypeScript } = file;
  const typed = (text: string) => (isTypeScript ? text : '');
  return `${startOf(file)}
/** A limiter that rejects where it denies, with the figures that the code above reads. */
function flexible(limiter${typed(': Limiter<{ key: string }>')}, settings = { points: 0, duration: 0 }) {
  const figuresOf = ({ allowed, binding, retryAfter }${typed(': Decision')}, cost = 0) => ({
    remainingPoints: allowed ? (binding?.remaining ?? 0) : 0,
    msBeforeNext: allowed ? (binding?.resetAfter ?? 0) : retryAfter,
    isFirstInDuration: allowed && binding !== undefined && binding.limit - binding.remaining === cost,
  });
  return {
    ...settings,
    async consume(key${typed(': string | number')}, cost = 1) {
      const decision = await limiter.consume({ key: String(key) }, { cost });
      if (!decision.allowed) throw figuresOf(decision);
      return figuresOf(decision, cost);
    },
    async get(key${typed(': string | number')}) {
      const tiers = await limiter.inspect({ key: String(key) });
      return tiers.some(({ isStored }) => isStored) ? figuresOf(await limiter.peek({ key: String(key) })) : null;
    },
    async delete(key${typed(': string | number')}) {
      await limiter.reset({ key: String(key) });
      return true;
    },
  };
}
`;
}

/** The interfaces of the library that a file names, so that its types stay as they are written. */
export function typesText(file: SourceFile, names: ReadonlySet<string>): string {
  const limiters = [...names].filter((name) => name !== 'RateLimiterRes');
  const result = `
interface RateLimiterRes {
  readonly remainingPoints: number;
  readonly msBeforeNext: number;
  readonly isFirstInDuration: boolean;
}
`;
  const limiter = (name: string) => `
interface ${name} {
  readonly points: number;
  readonly duration: number;
  consume(key: string | number, points?: number): Promise<RateLimiterRes>;
  get(key: string | number): Promise<RateLimiterRes | null>;
  delete(key: string | number): Promise<boolean>;
}
`;
  return startOf(file) + result + limiters.map(limiter).join('');
}

/** What takes the place of `error instanceof RateLimiterRes`. */
export function guardText(file: SourceFile): string {
  const parameter = file.isTypeScript ? 'error: unknown): error is RateLimiterRes' : 'error)';
  return `${startOf(file)}
/** True for the figures of a denial, which are no Error. */
function isDenial(${parameter} {
  return typeof error === 'object' && error !== null && 'msBeforeNext' in error;
}
`;
}

function startOf({ text }: SourceFile): string {
  return text.endsWith('\n') ? '' : '\n';
}
