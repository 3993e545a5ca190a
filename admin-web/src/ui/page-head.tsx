import { type ReactNode, useEffect } from 'react'
import { setPageTitle } from './page-title.ts'

/** The page's title, which the browser's tab shows too, and its filters or actions. */
export function PageHead(props: { title: string; picture?: string; about?: string; children?: ReactNode }) {
  const { title, picture, about, children } = props
  useEffect(() => {
    setPageTitle(title)
  }, [title])
  return (
    <header className="page-head">
      {picture && <img className="art is-large" src={picture} alt="" />}
      <div className="grow">
        <h1>{title}</h1>
        {about && <p className="muted">{about}</p>}
      </div>
      {children}
    </header>
  )
}
