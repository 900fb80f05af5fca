// The cost of a GraphQL operation is its complexity: a field costs 1, a list as much as the items that it requests.
//
// - Used by yoga.ts and apollo-server.ts, which run it after validation and before any resolver.
// - An alias, a fragment and a variable cost as much as the fields that they stand for. `first` below 1 counts as 1.
// - `first` is `Int!`: a client could send null otherwise, which many databases read as all.
// - Parsing and validation are not charged. Limit requests by address in front of the server, and the size of bodies.

import { byIp, createLimiter, type HttpRequest } from '@sluice/http';
import { getComplexity, simpleEstimator, type ComplexityEstimator } from 'graphql-query-complexity';
import type { DocumentNode, GraphQLSchema } from 'graphql';

const LIMIT = 1_000;

// With accounts, the key is the account that your authentication has found.
export const limiter = createLimiter<HttpRequest>({ name: 'complexity', key: byIp(), limit: LIMIT, window: '1m' });

export interface Operation {
  readonly schema: GraphQLSchema;
  readonly query: DocumentNode;
  readonly variables: Record<string, unknown> | undefined;
  readonly operationName: string | undefined;
}

const byItems: ComplexityEstimator = ({ args, childComplexity }) =>
  'first' in args ? 1 + Math.max(1, Number(args['first'])) * childComplexity : undefined;

const estimators = [byItems, simpleEstimator({ defaultComplexity: 1 })];

interface Denial {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Until the operation would be admitted. */
  readonly seconds?: number;
}

/** Charges an operation. Returns why it is denied, and undefined if it is admitted. */
export async function charge(request: HttpRequest, operation: Operation): Promise<Denial | undefined> {
  let complexity;
  try {
    complexity = complexityOf(operation);
  } catch (error) {
    // The variables do not fit. The resolvers of other fields would still run.
    return { status: 400, code: 'BAD_USER_INPUT', message: (error as Error).message };
  }
  // Above the limit each cost is denied alike, and 10 nested lists of 2^31 items are no safe integer.
  const cost = Math.min(Math.max(1, complexity), LIMIT + 1);
  const { allowed, reason, retryAfter } = await limiter.consume(request, { cost });
  if (allowed) return undefined;
  const code = 'RATE_LIMITED';
  if (reason === 'never') return { status: 422, code, message: `A query may cost ${LIMIT} at most.` };
  const seconds = Math.ceil(retryAfter / 1_000);
  return { status: 429, code, message: `This query costs ${cost}. Retry in ${seconds} s.`, seconds };
}

function complexityOf({ variables = {}, operationName, ...operation }: Operation): number {
  return getComplexity({
    ...operation,
    variables,
    estimators,
    ...(operationName !== undefined && { operationName }),
  });
}

/** A small schema, so that the recipes run. */
export const typeDefs = `
  type Query { products(first: Int! = 10): [Product!]! }
  type Product { name: String! related(first: Int! = 10): [Product!]! }
`;

const product = { name: 'tea', related: () => [product] };
export const resolvers = { Query: { products: () => [product] } };
