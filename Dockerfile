# Hedgerow as an image: `docker build -t hedgerow .` in this folder. deploy/compose.yaml runs it with PostgreSQL,
# ClickHouse and an S3 server; by itself it keeps everything in the volume /var/lib/hedgerow.

ARG NODE=22-bookworm

# The whole image of Node has the compiler that better-sqlite3 needs where no ready-made binary can be downloaded.
FROM node:${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
RUN npm run build
RUN find dist -name '*.map' -delete

# What runs, without what builds and tests.
FROM node:${NODE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:${NODE}-slim
ENV NODE_ENV=production HEDGEROW_HOST=0.0.0.0 HEDGEROW_DATA_DIR=/var/lib/hedgerow
WORKDIR /app
COPY --from=packages /app/package.json ./
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
RUN install --directory --owner=node --group=node --mode=0700 /var/lib/hedgerow
USER node
VOLUME /var/lib/hedgerow
EXPOSE 8000
# There is no curl in the slim image.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.HEDGEROW_PORT ?? 8000) + '/_health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/start.cjs", "serve"]
