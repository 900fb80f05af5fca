// api/ declares the HTTP API of the dashboard: each operation with its role, what it takes and what it answers. Requests enter, and
// documents and refusals leave. It imports nothing of the package.

/** What a caller may do. Each role may do what the one before may. */
export const ROLES = ['read', 'support', 'admin'] as const;

export type Role = (typeof ROLES)[number];

/** Who sends a request. */
export interface Caller {
  /** The name of a person or of a token, for the audit. */
  readonly by: string | undefined;
  readonly role: Role;
}

export function mayAct({ role }: Pick<Caller, 'role'>, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
