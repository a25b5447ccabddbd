import { sql } from 'kysely';
import { COHORT_TOWNS, JOB_TITLES, NAME_GROUPS, OFFICES, type NameGroup } from './words.ts';
import type { SeedPart, Seed } from './run.ts';

/** Runs first: the rules decide who is a public servant. */
export const rules: SeedPart = {
  name: 'auto-approval rules',
  async fill({ db }) {
    const made = [
      { type: 'partialDomain', value: 'example.gov' },
      ...OFFICES.filter(({ isApproved }) => isApproved).map(({ domain }) => ({ type: 'domain', value: domain })),
      ...COHORT_TOWNS.flatMap((town, nth) =>
        ['schools', 'water', 'police', 'library', 'parks'].map((service) => ({
          type: nth % 2 ? 'partialDomain' : 'domain',
          value: `${service}.${town.toLowerCase().replaceAll(' ', '-')}.example.org`,
        })),
      ),
      ...Array.from({ length: 40 }, (_, nth) => ({
        type: 'email',
        value: `guest.lecturer.${nth + 1}@university.example.org`,
      })),
    ];
    await sql`
      insert into auto_approvals (id, type, value, created_at, updated_at)
      select pg_temp.id_at(at), r.type, r.value, at, at
      from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) r (type text, value text),
        lateral (select now() - interval '1000 days' + random() * interval '200 days' as at where r.value <> '') t
      on conflict (type, value) do nothing`.execute(db);
  },
};

export const people: SeedPart = {
  name: 'people',
  async fill(seed) {
    await sql`create temporary table seed_offices (nth int primary key, name text, domain text, rule uuid) on commit drop`.execute(
      seed.db,
    );
    await sql`
      insert into seed_offices
      select o.nth, o.office->>'name', o.office->>'domain', r.id
      from jsonb_array_elements(${JSON.stringify(OFFICES)}::jsonb) with ordinality o (office, nth)
      left join auto_approvals r on r.type = 'domain' and r.value = o.office->>'domain'`.execute(seed.db);
    await sql`
      create temporary table seed_people (nth int primary key, id uuid not null, since timestamptz not null, is_active boolean not null)
      on commit drop`.execute(seed.db);
    let from = seed.before + 1;
    const last = seed.before + seed.people;
    for (const [index, group] of NAME_GROUPS.entries()) {
      const isLast = index === NAME_GROUPS.length - 1;
      const to = isLast ? last : Math.min(last, from - 1 + Math.round((seed.people * group.share) / 100));
      if (to >= from) await addGroup(seed, group, from, to);
      from = to + 1;
    }
    await sql`
      insert into seed_people
      select row_number() over (order by random()), id, created_at, role <> 'inactive' and email_proven_at is not null
      from users where sign_up->>'page' = 'seed' and (sign_up->>'number')::int > ${seed.before}`.execute(seed.db);
    await sql`analyze users`.execute(seed.db);
    await sql`analyze seed_people`.execute(seed.db);
  },
};

/** People who share a language. A few are inactive, a few never proved their address, a handful are administrators. */
async function addGroup({ db }: Seed, group: NameGroup, from: number, to: number): Promise<void> {
  const name = group.isFamilyFirst ? sql`n.family || ' ' || n.given` : sql`n.given || ' ' || n.family`;
  await sql`
    insert into users (id, email, email_proven_at, name, role, job_title, organization, locale, locale_chosen, visibility,
      biography, approved_by_rule, registration_status, sign_up, created_at, updated_at)
    select pg_temp.id_at(at), n.local || '.' || n.number || '@' || o.domain,
      case when dice < 0.985 then at + interval '7 minutes' end, ${name},
      case when dice < 0.0002 then 'administrator' when dice > 0.96 and dice < 0.985 then 'inactive'
        when o.rule is not null and dice < 0.985 then 'public-servant' else 'non-public-servant' end,
      pg_temp.one_of(${[...JOB_TITLES]}::text[]), o.name, ${group.locale}, dice < 0.7,
      case when dice < 0.05 then 'private' when dice < 0.3 then 'public' else 'default' end,
      case when dice < 0.4 then 'I work for the ' || o.name || '.' end, o.rule,
      case when o.rule is not null then 'approved' when dice < 0.3 then 'pending' when dice < 0.5 then 'refused' end,
      jsonb_build_object('page', 'seed', 'number', n.number), at, at
    from (
      select i as number, g as given, f as family, random() as dice,
        coalesce(nullif(trim(both '.' from regexp_replace(lower(unaccent(g || '.' || f)), '[^a-z.]+', '', 'g')), ''), 'person') as local,
        now() - interval '3 days' - power(random(), 1.7) * interval '1080 days' as at,
        1 + floor(power(random(), 1.3) * ${OFFICES.length})::int as office
      from generate_series(${from}::int, ${to}::int) i,
        lateral (select pg_temp.one_of(${group.given}::text[]) as g, pg_temp.one_of(${group.family}::text[]) as f where i > 0) w) n
    join seed_offices o on o.nth = n.office`.execute(db);
}
