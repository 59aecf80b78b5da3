/** Starts the app in the page that the server sends. */
import './look/layers.css'
import './look/tokens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

const place = document.getElementById('app')
if (place)
  createRoot(place).render(
    <StrictMode>
      <h1>Hedgerow</h1>
    </StrictMode>,
  )
