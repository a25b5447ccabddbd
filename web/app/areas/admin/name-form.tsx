import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';

type Props = { person: { id: string; name: string }; button: string; look?: 'primary' | 'danger' };

/** Confirms a grave act about a person by their name, which name.act.ts checks. */
export function NameForm({ person: { id, name }, button, look = 'primary' }: Props) {
  const { t, rich } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <SmartForm className="mt-8 grid max-w-md gap-5">
      <Field
        name="name"
        label={rich('admin.people_erase_name', { name: <strong dir="auto">{name}</strong> })}
        autoComplete="off"
        required
        dir="auto"
      />
      <div className="flex flex-wrap gap-3">
        <Button look={look} isBusy={isSubmitting}>
          {button}
        </Button>
        <LinkButton to={`/admin/people/${id}`} look="quiet">
          {t('common.cancel')}
        </LinkButton>
      </div>
    </SmartForm>
  );
}
