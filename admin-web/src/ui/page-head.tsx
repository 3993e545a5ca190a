import { type ReactNode, useEffect } from 'react'

/** The page's title, in the document's too, and its filters or one action. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · คราม หลังร้าน`
  }, [title])
  return (
    <header className="page-head">
      <h1>{title}</h1>
      {children}
    </header>
  )
}
