/** Two letters that stand for a person; of Thai only consonants, because its vowels and marks can't stand alone. */
function initialsOf(name: string): string {
  return name.replace(/[^ก-ฮA-Za-z0-9]/g, '').slice(0, 2) || '–'
}

export function Avatar({ name, isSmall = false }: { name: string; isSmall?: boolean }) {
  return (
    <span className={isSmall ? 'avatar is-small' : 'avatar'} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}
