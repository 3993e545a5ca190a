/** The outline of a page while its code is loaded. */
export function PageShape() {
  return (
    <div aria-busy="true">
      <p className="sr-only" role="status">
        กรุณารอสักครู่..
      </p>
      <div className="shape is-title" />
      <div className="shape is-list" />
    </div>
  )
}

/** The outline of the site while the caller is not known yet; index.html shows the same until this code is loaded. */
export function FrameShape() {
  return (
    <div className="app">
      <div className="sider" />
      <div className="top-bar" />
      <main className="main">
        <PageShape />
      </main>
    </div>
  )
}
