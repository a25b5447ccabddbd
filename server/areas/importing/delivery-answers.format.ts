import { z } from 'zod';
import { BadAnswer } from '#server/outside/json-fetch.ts';

const Entry = z.object({
  sys: z.object({
    id: z.string(),
    revision: z.int().min(0).default(0),
    publishedVersion: z.int().min(0).optional(),
    updatedAt: z.string().optional(),
    contentType: z.object({ sys: z.object({ id: z.string() }) }),
  }),
  fields: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});
const Type = z.object({ sys: z.object({ id: z.string() }), name: z.string().default('') });
const Locale = z.object({
  code: z.string(),
  fallbackCode: z.string().nullish(),
  default: z.boolean().optional(),
});

export type DeliveredEntry = z.output<typeof Entry>;
export type DeliveredType = z.output<typeof Type>;
export type DeliveredLocale = z.output<typeof Locale>;

function pageOf<Item>(item: z.ZodType<Item>): (answer: unknown) => { items: Item[]; total: number } {
  const schema = z.object({ items: z.array(item), total: z.int().min(0) });
  return (answer) => {
    const parsed = schema.safeParse(answer);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw new BadAnswer(`no page of the delivery API: ${issue?.path.join('.')} ${issue?.message}`);
  };
}

export const readEntries = pageOf(Entry);
export const readTypes = pageOf(Type);
export const readLocales = pageOf(Locale);
