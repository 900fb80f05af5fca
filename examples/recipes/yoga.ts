// GraphQL Yoga 5: a plugin that charges each operation by its complexity, before its resolvers run.
//
// - The status is 429 with `Retry-After`, 422 for a query that costs more than the limit, 400 for wrong variables.
// - Yoga refuses batches unless `batching` is set. Then each operation of a batch is charged.
// - A subscription is charged when it begins (`onSubscribe`), not by the events that it sends.

import { createServer, type IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import { createSchema, createYoga, type Plugin } from 'graphql-yoga';
import { charge, resolvers, typeDefs } from './graphql-cost.js';

interface ServerContext {
  readonly req: IncomingMessage;
}

type Executed = Parameters<NonNullable<Plugin<ServerContext>['onExecute']>>[0];

async function limitComplexity({ args }: Pick<Executed, 'args'>): Promise<void> {
  const { schema, document: query, variableValues: variables, operationName } = args;
  const denial = await charge(args.contextValue.req, { schema, query, variables, operationName });
  if (!denial) return;
  const { status, code, seconds, message } = denial;
  const headers: Record<string, string> = seconds === undefined ? {} : { 'Retry-After': String(seconds) };
  throw new GraphQLError(message, {
    extensions: { code, retryAfter: seconds, http: { status, headers } },
  });
}

const plugin: Plugin<ServerContext> = { onExecute: limitComplexity, onSubscribe: limitComplexity };

const schema = createSchema<ServerContext>({ typeDefs, resolvers });
const yoga = createYoga<ServerContext>({ schema, plugins: [plugin], logging: false });
export const server = createServer((request, response) => void yoga(request, response));
