import { expect, test } from 'vitest';
import { addressOfFeed, feedOf } from './feed-address.ts';

test('round-trips a view through its address', () => {
  const view = { ranking: 'recent_with_pin', category: 'in-practice', offset: 30 } as const;
  const address = addressOfFeed('ai-at-work', view);
  expect(address).toBe('/communities/ai-at-work?order=new&category=in-practice&offset=30');
  expect(feedOf(new URL(address, 'http://here').searchParams)).toEqual(view);
});

test('reads the plain address as the start of the active feed', () => {
  expect(addressOfFeed('x', feedOf(new URLSearchParams('offset=-4&order=odd')))).toBe('/communities/x');
});
