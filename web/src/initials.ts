/** Matches Thai consonants, but no vowels or marks, and the letters and digits of other scripts. */
const INITIALS = /[ก-ฮ]|(?!\p{Script=Thai})[\p{L}\p{N}]/gu

/** Two letters for the avatar: the first letters of two names, or the first two letters of one name. */
export function getInitials(name: string): string {
  const [first = [], second = []] = name.split(/\s+/).map(word => word.match(INITIALS) ?? [])
  const letters = second.length > 0 ? [first[0], second[0]] : first.slice(0, 2)
  return letters.join('').toUpperCase()
}
