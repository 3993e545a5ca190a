interface TermsPart {
  title: string
  lines: string[]
}

const ITEM = /^[-•]\s*/

/** The text in parts: empty lines divide them, and one whose first line is no "- " item begins with its title. */
function termsPartsOf(body: string): TermsPart[] {
  return body
    .split(/\n\s*\n/)
    .map(part =>
      part
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

/** The terms as buyers read them. */
export function TermsText({ body }: { body: string }) {
  return (
    <div className="terms-text">
      {termsPartsOf(body).map(({ title, lines }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other name than their place
        <section key={index}>
          {title && <h3>{title}</h3>}
          <ul>
            {lines.map((line, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same
              <li key={place}>{line}</li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
