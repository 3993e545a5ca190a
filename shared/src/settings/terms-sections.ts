interface TermsSection {
  title: string
  lines: string[]
}

const ITEM = /^[-•]\s*/

/** Splits the text into sections at empty lines. A section's first line is its title, unless it is a "- " item. */
export function termsSectionsOf(body: string): TermsSection[] {
  return body
    .split(/\n\s*\n/)
    .map(section =>
      section
        .split('\n')
        .map(each => each.trim())
        .filter(Boolean),
    )
    .filter(([first]) => first)
    .map(([first = '', ...rest]) => {
      const hasTitle = rest.length > 0 && !ITEM.test(first)
      const lines = hasTitle ? rest : [first, ...rest]
      return { title: hasTitle ? first : '', lines: lines.map(each => each.replace(ITEM, '')) }
    })
}
