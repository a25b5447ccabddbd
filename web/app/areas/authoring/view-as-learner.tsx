import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';

type Props = { address: string; cohorts: { id: string; name: string }[] };

/** Opens the published page as a learner of a cohort, or of none, gets it. */
export function ViewAsLearner({ address, cohorts }: Props) {
  const { t } = useText();
  return (
    <form method="post" action="/preview" className="mt-4 flex flex-wrap items-end gap-3 border-t border-line pt-4">
      <input type="hidden" name="next" value={address} />
      <Select
        name="cohort"
        label={t('admin.content_view_as')}
        className="min-w-0 flex-[1_1_14rem]"
        options={[
          { value: 'none', label: t('admin.content_view_as_alone') },
          ...cohorts.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        defaultValue="none"
        required
      />
      <Button look="secondary">{t('admin.content_open')}</Button>
    </form>
  );
}
