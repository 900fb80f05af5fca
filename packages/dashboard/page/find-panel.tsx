import { useSignal } from '@preact/signals';
import type { IdentityTarget, State } from '../src/messages.ts';
import { find, finding } from './find.ts';
import { FoundClient } from './found-client.tsx';

interface Field {
  readonly name: string;
  readonly isOptional?: boolean;
  readonly example: string;
}

/** The fields of each kind of identity, in the order of its values. */
const KINDS: Readonly<Record<string, readonly Field[]>> = {
  ip: [{ name: 'Address', example: '203.0.113.7' }],
  account: [{ name: 'Account', example: 'ada' }],
  'api-key': [{ name: 'API key', example: '' }],
  'jwt-subject': [
    { name: 'Issuer', example: 'https://id.example.com', isOptional: true },
    { name: 'Subject', example: 'ada' },
  ],
  header: [
    { name: 'Header', example: 'x-tenant' },
    { name: 'Value', example: 'acme' },
  ],
  key: [{ name: 'Text', example: 'acme' }],
  session: [{ name: 'Session id', example: '' }],
  composed: [{ name: 'Parts', example: 'ip:203.0.113.7 account:ada' }],
  other: [
    { name: 'Kind', example: 'tenant' },
    { name: 'Value', example: 'acme' },
  ],
};

/** Finds a client by its identity, and shows what each tier has of it. */
export function FindPanel({ readOnly, canOverride }: Pick<State, 'readOnly' | 'canOverride'>) {
  const kind = useSignal('ip');
  const fields = KINDS[kind.value]!;
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const typed = fields.map((_, index) => (form.get(`value-${index}`) as string).trim());
    const target = targetOf(kind.value, typed, (form.get('partition') as string).trim());
    void find(target, kind.value === 'api-key' ? 'this API key' : typed.filter(Boolean).join(' '));
  };
  return (
    <section class="panel" aria-labelledby="find">
      <header>
        <h2 id="find">Find a client</h2>
      </header>
      <form class="find" onSubmit={onSubmit} autocomplete="off">
        <label>
          <span>Kind</span>
          <select name="kind" value={kind.value} onChange={(event) => (kind.value = event.currentTarget.value)}>
            {Object.keys(KINDS).map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        {fields.map(({ name, example, isOptional = false }, index) => (
          <label key={`${kind.value} ${name}`}>
            <span>
              {name}
              {isOptional && <small> (optional)</small>}
            </span>
            <input
              name={`value-${index}`}
              type={typeOf(kind.value)}
              placeholder={example}
              required={!isOptional}
              spellcheck={false}
            />
          </label>
        ))}
        <details>
          <summary>Partition</summary>
          <label>
            <span>For limiters with partition</span>
            <input name="partition" placeholder="tenant:acme" spellcheck={false} />
          </label>
        </details>
        <button type="submit" class="primary" disabled={finding.isBusy.value}>
          Find
        </button>
      </form>
      <div aria-live="polite">
        {finding.problem.value && <p class="problem">{finding.problem.value}</p>}
        {finding.notice.value && <p class="notice">{finding.notice.value}</p>}
      </div>
      {finding.found.value && <FoundClient found={finding.found.value} readOnly={readOnly} canOverride={canOverride} />}
    </section>
  );
}

/** Others may see the screen. */
function typeOf(kind: string): 'text' {
  // The types of Preact know either, not one of two.
  return (kind === 'api-key' || kind === 'session' ? 'password' : 'text') as 'text';
}

function targetOf(kind: string, typed: readonly string[], partition: string): IdentityTarget {
  const named = partition === '' ? {} : { partition };
  if (kind === 'other') return { kind: typed[0]!, values: typed.slice(1), ...named };
  if (kind === 'composed') return { kind, values: typed[0]!.split(/\s+/), ...named };
  return { kind, values: kind === 'jwt-subject' ? typed.filter(Boolean) : typed, ...named };
}
