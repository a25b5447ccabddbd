import pg from 'pg';

/** Excludes objects of extensions. */
const isOurs = (catalog: string, oid: string) =>
  `not exists (select from pg_depend e where e.classid = '${catalog}'::regclass and e.objid = ${oid} and e.deptype = 'e')`;

/**
 * Queries that list all objects of the schema `public`. Column order is excluded, because statements name their
 * columns.
 */
const PARTS = [
  `select format('relation %s %s persistence=%s options=%s method=%s security=%s/%s identity=%s tablespace=%s grants=%s comment=%s view=%s',
     c.relkind, c.relname, c.relpersistence, c.reloptions, a.amname, c.relrowsecurity, c.relforcerowsecurity,
     c.relreplident, c.reltablespace, c.relacl, obj_description(c.oid, 'pg_class'),
     case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end)
   from pg_class c left join pg_am a on a.oid = c.relam
   where c.relnamespace = 'public'::regnamespace and ${isOurs('pg_class', 'c.oid')}`,
  `select format('column %s.%s %s notnull=%s default=%s generated=%s identity=%s collation=%s storage=%s compression=%s statistics=%s options=%s local=%s grants=%s comment=%s',
     c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid),
     a.attgenerated, a.attidentity, a.attcollation::regcollation, a.attstorage, a.attcompression,
     nullif(a.attstattarget, -1), array(select o from unnest(a.attoptions) o where o like 'n_distinct%'), a.attislocal, a.attacl, col_description(c.oid, a.attnum))
   from pg_attribute a join pg_class c on c.oid = a.attrelid
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped and ${isOurs('pg_class', 'c.oid')}`,
  `select format('constraint %s.%s %s validated=%s comment=%s', conrelid::regclass, conname, pg_get_constraintdef(oid),
     convalidated, obj_description(oid, 'pg_constraint'))
   from pg_constraint where connamespace = 'public'::regnamespace`,
  `select format('index %s valid=%s clustered=%s identity=%s comment=%s', pg_get_indexdef(i.indexrelid), i.indisvalid,
     i.indisclustered, i.indisreplident, obj_description(i.indexrelid, 'pg_class'))
   from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = 'public'::regnamespace`,
  `select format('trigger %s enabled=%s comment=%s', pg_get_triggerdef(t.oid), t.tgenabled, obj_description(t.oid, 'pg_trigger'))
   from pg_trigger t join pg_class c on c.oid = t.tgrelid
   where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`,
  `select format('function %s grants=%s comment=%s', pg_get_functiondef(p.oid), p.proacl, obj_description(p.oid, 'pg_proc'))
   from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p') and ${isOurs('pg_proc', 'p.oid')}`,
  `select format('sequence %s %s start=%s by=%s from=%s to=%s cache=%s cycle=%s owner=%s', c.relname,
     format_type(s.seqtypid, null), s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache, s.seqcycle,
     (select pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid) from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')))
   from pg_sequence s join pg_class c on c.oid = s.seqrelid where c.relnamespace = 'public'::regnamespace`,
  `select format('type %s %s grants=%s comment=%s', t.typname, t.typtype, t.typacl, obj_description(t.oid, 'pg_type'))
   from pg_type t where t.typnamespace = 'public'::regnamespace and ${isOurs('pg_type', 't.oid')}`,
  `select format('text search %s parser=%s %s=%s', c.cfgname, c.cfgparser, k.alias, array(
     select m.mapdict::regdictionary::text from pg_ts_config_map m
     where m.mapcfg = c.oid and m.maptokentype = k.tokid order by m.mapseqno))
   from pg_ts_config c, ts_token_type(c.cfgparser) k where c.cfgnamespace = 'public'::regnamespace`,
  `select format('extension %s %s in %s', extname, extversion, extnamespace::regnamespace) from pg_extension`,
  `select format('schema %s grants=%s comment=%s', nspname, nspacl, obj_description(oid, 'pg_namespace'))
   from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'`,
  `select format('rule %s', pg_get_ruledef(oid)) from pg_rewrite where rulename <> '_RETURN' and oid >= 16384`,
  `select format('policy %s on %s', polname, polrelid::regclass) from pg_policy`,
  `select format('statistics %s', pg_get_statisticsobjdef(oid)) from pg_statistic_ext`,
  `select format('default grants %s', defaclacl) from pg_default_acl`,
  `select format('event trigger %s', evtname) from pg_event_trigger`,
  `select format('publication %s', pubname) from pg_publication`,
];

/** The schema of a database as lines. Databases with equal schemas have equal lines. */
export async function readCatalog(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const lines: string[] = [];
    for (const part of PARTS) {
      const { rows } = await client.query<{ format: string }>(part);
      lines.push(...rows.map((row) => row.format));
    }
    return lines.sort();
  } finally {
    await client.end();
  }
}
