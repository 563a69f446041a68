FROM python:3.11-slim AS build
WORKDIR /src
RUN python -m venv /opt/linstock
ENV PATH=/opt/linstock/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY requirements.lock .
RUN pip install --require-hashes --requirement requirements.lock
COPY . .
RUN pip install --no-deps .

FROM python:3.11-slim
RUN useradd --system --uid 10001 --home-dir /data linstock && install --directory --owner=linstock /data
COPY --from=build /opt/linstock /opt/linstock
ENV PATH=/opt/linstock/bin:$PATH PYTHONUNBUFFERED=1 LINSTOCK_DATA_DIR=/data
USER linstock
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["linstock", "serve", "--host", "0.0.0.0", "--port", "8000"]
