import { describe, expect, it, vi } from 'vitest';
import { differences } from '#server/integrity/counters.ts';
import { accountRaces } from './accounts.races.ts';
import { communityRaces } from './community.races.ts';
import { erasureRaces } from './erasure.races.ts';
import { learningRaces } from './learning.races.ts';
import { startNodes } from './nodes.ts';
import { pollRaces } from './polls.races.ts';
import { recordRaces } from './records.races.ts';

// One file, so that one pair of processes serves all: each takes its time to start and its connections.

vi.setConfig({ testTimeout: 120_000 }); // hundreds of requests, on a machine that may be busy with other tests
const nodes = await startNodes();

describe('accounts, on two processes', () => accountRaces(nodes));
describe('polls, on two processes', () => pollRaces(nodes));
describe('communities, on two processes', () => communityRaces(nodes));
describe('learning, on two processes', () => learningRaces(nodes));
describe('records, on two processes', () => recordRaces(nodes));
describe('erasure, on two processes', () => erasureRaces(nodes));
it('leaves every tally as it is counted, and members as their bits say', async () => {
  expect((await differences(nodes.test.ctx.db)).filter((line) => /^(tallies|cohort_crowds)/.test(line))).toEqual([]);
});
