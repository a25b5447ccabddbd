import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasSharedData, SHARED_DATA } from '#server/test/factories/content.ts';
import {
  type Occupation,
  packOccupations,
  readJobTaskFile,
  type Statement,
  unpackOccupations,
} from './job-task-file.format.ts';
import { readSource } from './job-task-source.format.ts';

const SOURCE = join(SHARED_DATA, 'onet-ai-exposure');
const HEADER = 'O*NET-SOC Code\tTask ID\tTask\tTask Type\tTitle\tgpt4_exposure\tgpt4_automation\thuman_labels';
const occupations = await unpackOccupations((await readJobTaskFile()).packed);
const statements = occupations.flatMap((occupation) => occupation.statements);

describe('the job task file', () => {
  it('contains every statement of every occupation once', () => {
    expect([occupations.length, statements.length]).toEqual([923, 19_265]);
    expect(new Set(occupations.map(({ code }) => code)).size).toBe(923);
    expect(new Set(statements.map(({ id }) => id)).size).toBe(19_265);
  });

  it('contains statements with their ratings', () => {
    const executives = occupations.find(({ code }) => code === '11-1011.00');
    expect(executives?.title).toBe('Chief Executives');
    expect(executives?.statements.find(({ id }) => id === 8831)).toEqual({
      id: 8831,
      text: 'Appoint department heads or managers and assign or delegate responsibilities to them.',
      kind: 'core',
      model: 'E0',
      people: 'E0',
      automationGrade: 1,
    });
  });

  it('unpacks to what was packed', async () => {
    const some: Occupation[] = occupations.slice(0, 3);
    expect(await unpackOccupations(await packOccupations(some))).toEqual(some);
  });

  it.runIf(hasSharedData)('matches the published table', async () => {
    expect(readSource(await readFile(join(SOURCE, 'tasks.tsv'), 'utf8'))).toEqual(occupations);
  });

  it.runIf(hasSharedData)('gives the published exposure shares of each occupation', async () => {
    const published = new Map(
      (await readFile(join(SOURCE, 'occupations.csv'), 'utf8'))
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => {
          const fields = line.split(','); // only titles contain commas
          return [fields[0], fields.slice(-6).map(Number)] as const;
        }),
    );
    const shares = (own: Statement[], label: (statement: Statement) => string) => {
      const weight = ({ kind }: Statement) => (kind === 'core' ? 1 : 0.5);
      const all = own.reduce((sum, statement) => sum + weight(statement), 0);
      const share = (wanted: string) =>
        own.reduce((sum, statement) => sum + (label(statement) === wanted ? weight(statement) : 0), 0) / all;
      return [share('E1'), share('E1') + share('E2') / 2, share('E1') + share('E2')];
    };
    const differing = occupations.filter(({ code, statements: own }) => {
      const ours = [...shares(own, ({ model }) => model), ...shares(own, ({ people }) => people)];
      return published.get(code)?.some((value, index) => Math.abs(value - (ours[index] ?? 0)) > 1e-9) ?? true;
    });
    expect(published.size).toBe(923);
    expect(differing.map(({ code }) => code)).toEqual([]);
  });
});

describe('readSource', () => {
  const line = '11-1031.00\t15287.0\t"Conduct ""head counts"" before votes."\t\tLegislators\tE2\tT3\tE1';

  it('reads quoted fields and statements without a kind', () => {
    expect(readSource(`${HEADER}\n${line}\n`)).toEqual([
      {
        code: '11-1031.00',
        title: 'Legislators',
        statements: [
          {
            id: 15287,
            text: 'Conduct "head counts" before votes.',
            kind: 'unrated',
            model: 'E2',
            people: 'E1',
            automationGrade: 3,
          },
        ],
      },
    ]);
  });

  it.each([
    ['an unknown label', line.replace('\tE2\t', '\tE9\t')],
    ['no number', line.replace('15287.0', 'none')],
    ['a field too few', line.replace('\tE1', '')],
    ['an unknown kind', line.replace('\t\tLeg', '\tOther\tLeg')],
  ])('refuses a line with %s', (_, broken) => {
    expect(() => readSource(`${HEADER}\n${broken}\n`)).toThrow('malformed task statement line');
  });
});
