import type { Endpoint } from '@officium/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, invalid, type Issue } from '../errors.ts';
import { inputMessage } from '../text/input-message.ts';
import { isTooDeep, isUnstorable, MAX_NESTING, UNSTORABLE } from '../text/storable.ts';

const PARTS = ['params', 'query', 'headers', 'body'] as const;

/** Zod's issues in the contract's form: `path` with dots, `message` for people. */
function toIssues(error: z.core.$ZodError, part: string): Issue[] {
  return error.issues.slice(0, 1000).map((issue) => {
    const path = issue.path.map(String).join('.') || part;
    return { path, message: inputMessage(issue, path) };
  });
}

/** The parts of a request that the contract names; throws `request.invalid` with every issue. */
export function parseInput(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> {
  const given = { params: request.params, query: request.query, headers: request.headers, body: request.body ?? {} };
  const input: Record<string, unknown> = {};
  const issues: Issue[] = [];
  if (request.body && isTooDeep(given.body))
    throw invalid('', `The body is nested more than ${MAX_NESTING} levels deep`);
  for (const part of PARTS) {
    const schema = endpoint[part];
    if (!schema) continue;
    const parsed = z.safeParse(schema, given[part], { reportInput: true });
    if (parsed.success) input[part] = parsed.data;
    else issues.push(...toIssues(parsed.error, part));
  }
  if (issues.length > 0) throw new AppError('request.invalid', { issues });
  if (isUnstorable(given.params) || isUnstorable(given.query) || isUnstorable(given.body))
    throw new AppError('request.invalid', {
      issues: [{ path: '', message: UNSTORABLE }],
    });
  return input;
}
