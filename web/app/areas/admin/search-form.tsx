import { Form } from 'react-router';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';

type Props = {
  label: string;
  value: string;
  /** Other query parameters to keep. */
  kept?: Readonly<Record<string, string | undefined>>;
};

/** Search form of a list; the query is part of the address. */
export function SearchForm({ label, value, kept = {} }: Props) {
  const { t } = useText();
  return (
    <Form method="get" role="search" className="flex flex-wrap items-end gap-3">
      {Object.entries(kept).map(([name, text]) =>
        text ? <input key={name} type="hidden" name={name} value={text} /> : null,
      )}
      <div className="min-w-0 grow basis-56 sm:max-w-sm">
        <label htmlFor="q" className="mb-1 block font-semibold">
          {label}
        </label>
        <input id="q" name="q" type="search" defaultValue={value} maxLength={200} className="input" dir="auto" />
      </div>
      <Button look="secondary">{t('admin.cohorts_find')}</Button>
    </Form>
  );
}
