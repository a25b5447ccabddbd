import { Form, Link } from 'react-router';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { AUDIT_ACTIONS } from './audit-actions.ts';
import { paramsOf, type Sought } from './audit-person.ts';
import { sentenceOf } from './audit-words.ts';

type Chosen = { actor: Sought; object: Sought; action: string; from: string; to: string };
const LABELS = { actor: 'admin.audit_who', object: 'admin.audit_object' } as const;
const HINTS = { actor: 'admin.audit_who_hint', object: 'admin.audit_object_hint' } as const;

/** The filters of the audit log. They are kept in the address. */
export function AuditFilter({ chosen, isFiltered }: { chosen: Chosen; isFiltered: boolean }) {
  const text = useText();
  const { t } = text;
  return (
    <>
      <Form action="/admin/audit" className="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {(['actor', 'object'] as const).map((name) => (
          <Who key={name} name={name} sought={chosen[name]} />
        ))}
        <Select
          name="action"
          label={t('admin.audit_action')}
          options={useActions(chosen.action)}
          defaultValue={chosen.action}
          hideOptional
        />
        {(['from', 'to'] as const).map((name) => (
          <Field
            key={name}
            name={name}
            type="date"
            label={t(`admin.audit_${name}`)}
            hideOptional
            defaultValue={chosen[name]}
          />
        ))}
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <Button>{t('admin.overview_show')}</Button>
          {isFiltered ? (
            <Link to="/admin/audit" className="link inline-block py-1.5">
              {t('admin.audit_reset')}
            </Link>
          ) : null}
        </div>
      </Form>
      {(['actor', 'object'] as const).map((name) => (
        <Candidates key={name} name={name} chosen={chosen} />
      ))}
    </>
  );
}

function Who({ name, sought }: { name: 'actor' | 'object'; sought: Sought }) {
  const { t } = useText();
  return (
    <div>
      {sought.id ? (
        <>
          <input type="hidden" name={name} value={sought.id} />
          <input type="hidden" name={`${name}Shown`} value={sought.text} />
        </>
      ) : null}
      <Field
        name={`${name}Text`}
        label={t(LABELS[name])}
        hint={t(HINTS[name])}
        hideOptional
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        dir="auto"
        defaultValue={sought.text}
      />
    </div>
  );
}

/** Actions in plain words, in the order of the language; with the one of the address when it is unknown. */
function useActions(current: string) {
  const { locale, t, ...text } = useText();
  const codes = new Set<string>([...AUDIT_ACTIONS, ...(current ? [current] : [])]);
  const { compare } = new Intl.Collator(locale);
  const named = [...codes].map((value) => ({ value, label: sentenceOf(text, value) ?? value }));
  return [
    { value: '', label: t('admin.people_any') },
    ...named.toSorted((one, other) => compare(one.label, other.label)),
  ];
}

/** People who match an ambiguous name, each as a link that keeps the other filters. */
function Candidates({ name, chosen }: { name: 'actor' | 'object'; chosen: Chosen }) {
  const { t } = useText();
  const { text, candidates } = chosen[name];
  if (candidates.length === 0) return null;
  const other = name === 'actor' ? 'object' : 'actor';
  const kept = (['action', 'from', 'to'] as const).flatMap((key): [string, string][] =>
    chosen[key] ? [[key, chosen[key]]] : [],
  );
  const addressOf = (id: string, shown: string) =>
    new URLSearchParams([
      ...paramsOf(name, { id, text: shown }),
      ...paramsOf(other, chosen[other]),
      ...kept,
    ]).toString();
  return (
    <section className="mt-6" role="status">
      <p>{t('admin.audit_which', { text })}</p>
      <ul className="mt-1">
        {candidates.map((one) => (
          <li key={one.id}>
            <Link to={`/admin/audit?${addressOf(one.id, one.name)}`} className="link inline-block py-1.5">
              <bdi>{one.name}</bdi>
            </Link>{' '}
            <bdi className="text-muted wrap-anywhere">{one.email}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
