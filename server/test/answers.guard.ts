import { ENDPOINTS } from '@officium/contract/services';
import { describe, expect, it } from 'vitest';
import { usualErrors } from '#server/http/openapi.ts';
import { answersOf, readAnswers, undeclared } from './answers.ts';

// Runs after all other tests of the server (vitest.config.ts): `npm test`, not a single file of them.

const seen = readAnswers();

describe('the tests of the server', () => {
  it.each(ENDPOINTS.map((endpoint) => [endpoint.name, endpoint] as const))('saw every answer of %s', (_, endpoint) => {
    expect(answersOf(endpoint).filter((answer) => !seen.has(answer))).toEqual([]);
  });

  it('saw no answer the contract does not name', () => {
    expect(undeclared(seen, usualErrors)).toEqual([]);
  });
});
