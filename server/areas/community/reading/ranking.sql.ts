import type { Ranking } from '@officium/contract/community';

/**
 * How a ranking orders posts `a`: by `score`, then by id, so that every order is total. Both the feeds and the
 * explanation of a rank read these definitions. The expressions match indexes.
 */
type Rule = {
  score: string;
  /** Whether pins, and the people who took part, are part of the score; the age of a post always counts. */
  counts: { pins: boolean; people: boolean };
  /** The time at which a post without points has the same score, where there is one. */
  standsAt?: string;
};

const RULES: Record<Ranking, Rule> = {
  community_feed_live: {
    score: 'a.hot',
    counts: { pins: false, people: true },
    standsAt: 'to_timestamp(a.hot * hot_seconds())',
  },
  recent_with_pin: { score: '(a.pin_count > 0)', counts: { pins: true, people: false } },
  community_feed_testing: {
    score: `(1 + a.people_points)::float8 ^ 0.8 / (2 + greatest(0, extract(epoch from now() - a.created_at)::float8) / 3600) ^ 1.5`,
    counts: { pins: false, people: true },
  },
};

export const orderText = (ranking: Ranking) => `${RULES[ranking].score} desc, a.id desc`;

/** The columns of a RankRow, for the post `a`. */
export function rankColumns(ranking: Ranking): string {
  const { score, counts, standsAt = 'null::timestamptz' } = RULES[ranking];
  return `to_json(${score}) as score, a.created_at as "createdAt", ${standsAt} as "standsAt",
    ${counts.pins ? 'a.pin_count > 0' : 'null::boolean'} as pinned, ${counts.people ? PEOPLE : 'null::json'} as people`;
}

/** The people of a post by kind, with the points they give it. */
const PEOPLE = `(
    select json_agg(json_build_object('kind', k.kind, 'people', n, 'points', n * activity_points(k.kind)) order by k.nth)
    from unnest(array['like', 'reply', 'share']) with ordinality k(kind, nth) cross join lateral (
      select count(*)::int as n from activity_people p where p.activity_id = a.id and p.kind = k.kind) counted)`;

export type RankRow = {
  /** A boolean for an order by a condition. */
  score: number | boolean;
  createdAt: Date;
  standsAt: Date | null;
  pinned: boolean | null;
  people: { kind: 'like' | 'reply' | 'share'; people: number; points: number }[] | null;
};
