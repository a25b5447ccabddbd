import { ENDPOINTS } from '@officium/contract/services';
import { describe, expect, it } from 'vitest';
import { usualErrors } from '#server/http/openapi.ts';
import { answersOf, readAnswers, undeclared } from './answers.ts';

// Runs after all other server tests (vitest.config.ts), with `npm test`, never alone.

const seen = readAnswers();

describe('the server tests', () => {
  it.each(ENDPOINTS.map((endpoint) => [endpoint.name, endpoint] as const))(
    'cover every answer of %s',
    (_, endpoint) => {
      expect(answersOf(endpoint).filter((answer) => !seen.has(answer))).toEqual([]);
    },
  );

  it('received no answer that the contract does not declare', () => {
    expect(undeclared(seen, usualErrors)).toEqual([]);
  });
});
