import { expect, it } from 'vitest';
import { scoreOf, stableCopy } from './example-values.ts';

const made = (day: number) => ({
  id: `01a0b1c2-d3e4-7f00-8123-00000000000${day}`,
  parent: { id: `01a0b1c2-d3e4-7f00-8123-00000000000${day}` },
  name: `Person ${day}0`,
  community: { title: `Community ${day}7` },
  email: `someone-${day}@agency.example.org`,
  createdAt: `2031-05-0${day}T12:00:00.123Z`,
  updatedAt: `2031-05-0${day}T13:00:00.123Z`,
  link: `http://localhost:4${day}11/communities/plain-words-0a1b2c3d4e5f6a7${day}`,
  token: `aB3_deFgHiJkLmNoPqRsTuVwX${day}`,
});

it('makes equal examples from the responses of two test runs', () => {
  expect(stableCopy(made(2))).toEqual(stableCopy(made(1)));
});

it('keeps equality, order in time and the format of each value', () => {
  const { id, parent, name, community, email, createdAt, updatedAt, link, token } = stableCopy(made(1));
  expect(parent.id).toBe(id);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(email).toBe('amara.diallo@example.gov');
  expect([name, community.title]).toEqual(['Amara Diallo', 'Community 2']);
  expect(createdAt < updatedAt).toBe(true);
  expect(createdAt).toMatch(/^2026-03-\d\dT[\d:.]+Z$/);
  expect(link).toMatch(/^https:\/\/learn\.example\.gov\/communities\//);
  expect(token).toHaveLength(made(1).token.length);
  expect(token).not.toBe(made(1).token);
});

it('prefers examples with more fields and with short, plain texts', () => {
  expect(scoreOf({ a: 1, b: ['x'] })).toBeGreaterThan(scoreOf({ a: 1, b: [] }));
  expect(scoreOf({ a: 'word' })).toBeGreaterThan(scoreOf({ a: 'word'.repeat(20) }));
  expect(scoreOf({ a: 'word' })).toBeGreaterThan(scoreOf({ a: '<b>' }));
});
