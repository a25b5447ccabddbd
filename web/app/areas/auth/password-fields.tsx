import { useText } from '../../text.tsx';
import { Field } from '../../ui/field.tsx';

/** A new password, entered once: the browser can show it, and it can be reset by e-mail. */
export function NewPasswordField() {
  const { t } = useText();
  return (
    <Field
      name="password"
      type="password"
      label={t('auth.new_password')}
      hint={t('auth.new_password_hint')}
      autoComplete="new-password"
      minLength={8}
      maxLength={100}
      required
    />
  );
}
