import { describe, expect, it, vi } from 'vitest';
import { differences } from '#server/integrity/counters.ts';
import { accountRaces } from './accounts.races.ts';
import { communityRaces } from './community.races.ts';
import { erasureRaces } from './erasure.races.ts';
import { learningRaces } from './learning.races.ts';
import { startNodes } from './nodes.ts';
import { pollRaces } from './polls.races.ts';
import { recordRaces } from './records.races.ts';

// One file, so that all races share one pair of nodes, which are slow to start and use many connections.

vi.setConfig({ testTimeout: 120_000 }); // hundreds of requests on a busy machine
const nodes = await startNodes();

describe('accounts, on two processes', () => accountRaces(nodes));
describe('polls, on two processes', () => pollRaces(nodes));
describe('communities, on two processes', () => communityRaces(nodes));
describe('learning, on two processes', () => learningRaces(nodes));
describe('records, on two processes', () => recordRaces(nodes));
describe('erasure, on two processes', () => erasureRaces(nodes));
it('leaves tallies and cohort bitmaps consistent with their rows', async () => {
  expect((await differences(nodes.test.ctx.db)).filter((line) => /^(tallies|cohort_crowds)/.test(line))).toEqual([]);
});
