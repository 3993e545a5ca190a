import { getInitials } from '@shop/web/initials.ts'

export function Avatar({ name, isSmall = false }: { name: string; isSmall?: boolean }) {
  return (
    <span className={isSmall ? 'avatar is-small' : 'avatar'} aria-hidden="true">
      {getInitials(name) || '–'}
    </span>
  )
}
