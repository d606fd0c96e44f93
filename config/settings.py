"""Settings of Handraise, all from the environment (docs/settings.md lists the variables)."""

from pathlib import Path
from urllib.parse import urlsplit

from django.utils.csp import CSP
from django.utils.translation import gettext_lazy as _

from config.environment import (
    WrongValue,
    currency,
    database,
    folder,
    kept_key,
    listed,
    prices,
    redis_address,
    switch,
    text,
    web_address,
    whole_number,
)

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = "0.1.0"

# --- where things are kept -------------------------------------------------------------------------
DATA_DIR = folder("HANDRAISE_DATA_DIR", BASE_DIR / "data")
SECRET_KEY = text("SECRET_KEY") or kept_key(DATA_DIR, "secret_key")
AUDIT_KEY = text("HANDRAISE_AUDIT_KEY") or kept_key(DATA_DIR, "audit_key")
if AUDIT_KEY == SECRET_KEY:
    raise WrongValue("HANDRAISE_AUDIT_KEY must not be the same as SECRET_KEY.")
DEBUG = switch("DEBUG")

# --- who may reach it ------------------------------------------------------------------------------
PUBLIC_URL = web_address("HANDRAISE_PUBLIC_URL")
PUBLIC_HOST = urlsplit(PUBLIC_URL).hostname
ALLOWED_HOSTS = listed("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]", *([PUBLIC_HOST] if PUBLIC_HOST else [])])
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL] if PUBLIC_URL else []
IS_HTTPS = PUBLIC_URL.startswith("https://")
TRUST_PROXY = switch("HANDRAISE_TRUST_PROXY")
if TRUST_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    USE_X_FORWARDED_HOST = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "handraise_session", "handraise_csrf"
SECURE_HSTS_SECONDS = 31536000 if IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = SECURE_SSL_REDIRECT = False
# Subdomains are not ours to speak for, and the proxy in front redirects.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W008", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
}

# --- what it is made of ----------------------------------------------------------------------------
INSTALLED_APPS = [
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
    "apps.common",
    "apps.audit",
    "apps.events",
    "apps.accounts",
    "apps.providers",
    "apps.chat",
    "apps.interactions",
    "apps.solve",
    "apps.toolkit",
    "apps.runs",
    "apps.api",
    "apps.web",
    "apps.console",
]
MIDDLEWARE = [
    "apps.web.refusals.log_refusals",
    "django.middleware.security.SecurityMiddleware",
    "apps.web.static_files.StaticFilesMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "apps.accounts.middleware.RequestIdMiddleware",
    "apps.accounts.middleware.UserLocaleMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "apps.web.refusals.explain_wrong_method",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# --- databases -------------------------------------------------------------------------------------
DATABASES = {"default": database("DATABASE_URL", DATA_DIR / "handraise.sqlite3")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A deferred transaction that reads first and then writes fails at once with "database is locked";
    # an immediate one waits. WAL and FULL: an acknowledged answer is on the disk.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA foreign_keys=ON;"
            "PRAGMA secure_delete=ON;PRAGMA temp_store=MEMORY;"
        ),
    }
    # Requests run in a few threads that last (config/handler.py), and so do their connections.
    DATABASES["default"]["CONN_MAX_AGE"] = None
else:
    # A pool, not CONN_MAX_AGE: daphne serves requests from many threads, and a kept connection a thread never ends.
    DATABASES["default"]["OPTIONS"] = {"pool": {"min_size": 2, "max_size": 24, "timeout": 20}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = redis_address("REDIS_URL")
CHANNEL_LAYERS = {
    "default": (
        # The pub/sub layer: the core layer breaks at 100 receivers with redis-py 8 (house.md).
        {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [REDIS_URL]}}
        if REDIS_URL
        else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
    )
}

# --- people ----------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_REDIRECT_URL = "/sign-in/", "/", "/sign-in/"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
LANGUAGE_COOKIE_NAME = "handraise_language"
USE_TZ = True
TIME_ZONE = "UTC"

# --- files -----------------------------------------------------------------------------------------
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
WHITENOISE_USE_FINDERS = True
# What browsers ask for at fixed addresses, such as /favicon.ico.
WHITENOISE_ROOT = BASE_DIR / "static" / "root"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
# Files go to the disk as they come, and stop at the limit of an upload.
FILE_UPLOAD_HANDLERS = ["apps.toolkit.sources.receiving.DiskUploadHandler"]
# A card with many options and eight questions is one form.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000

# --- the model and its limits ----------------------------------------------------------------------
MODEL = text("HANDRAISE_MODEL", "builtin")
MODEL_BASE_URL = text("HANDRAISE_MODEL_BASE_URL")
MODEL_API_KEY = text("HANDRAISE_MODEL_API_KEY")
if MODEL != "builtin" and not MODEL.partition(":")[2]:
    raise WrongValue("HANDRAISE_MODEL must be 'builtin' or 'openai:<name>'.")
if MODEL.partition(":")[0] not in ("builtin", "openai", "scripted"):
    raise WrongValue("HANDRAISE_MODEL must be 'builtin' or 'openai:<name>'.")
PRICES = prices("HANDRAISE_PRICES")
CURRENCY = currency("HANDRAISE_CURRENCY", "USD")
ASK_LIFETIME = whole_number("HANDRAISE_ASK_LIFETIME", 259200)
CONTEXT_CHARS = whole_number("HANDRAISE_CONTEXT_CHARS", 400_000, low=1000)
RATE_REQUESTS = whole_number("HANDRAISE_RATE_REQUESTS", 1200)
RATE_RUNS = whole_number("HANDRAISE_RATE_RUNS", 120)
STREAMS_PER_USER = whole_number("HANDRAISE_STREAMS_PER_USER", 20, low=1)
STREAM_HEARTBEAT_SECONDS = 15

# --- the work tools ----------------------------------------------------------------------------------
SANDBOX = text("HANDRAISE_SANDBOX", "auto")
if SANDBOX not in ("auto", "bubblewrap", "landlock", "off"):
    raise WrongValue("HANDRAISE_SANDBOX must be 'auto', 'bubblewrap', 'landlock' or 'off'.")
SANDBOX_PYTHON = text("HANDRAISE_SANDBOX_PYTHON", str(BASE_DIR / ".sandbox" / "bin" / "python"))
CODE_SECONDS = whole_number("HANDRAISE_CODE_SECONDS", 60, low=1, high=3600)
CODE_MEMORY = whole_number("HANDRAISE_CODE_MEMORY", 1024, low=256, high=65536)
CODE_AT_ONCE = whole_number("HANDRAISE_CODE_AT_ONCE", 2, low=1, high=64)
WEB_TOOLS = switch("HANDRAISE_WEB_TOOLS")
SEARCH_URL = web_address("HANDRAISE_SEARCH_URL")

# --- attachments -------------------------------------------------------------------------------------
SOURCE_BYTES = whole_number("HANDRAISE_SOURCE_MEGABYTES", 20, low=1, high=200) << 20
SOURCE_PAGES = whole_number("HANDRAISE_SOURCE_PAGES", 300, low=1, high=5000)
SOURCE_CHARS = whole_number("HANDRAISE_SOURCE_CHARS", 1_000_000, low=1000, high=5_000_000)
SOURCE_SECONDS = whole_number("HANDRAISE_SOURCE_SECONDS", 30, low=1, high=600)
SOURCES_PER_SESSION = whole_number("HANDRAISE_SOURCES_PER_SESSION", 50, low=1, high=1000)
# A search counts the words of every part that holds one of its own: this bounds what it may take.
SOURCE_CHARS_PER_SESSION = 3_000_000
RATE_UPLOADS = whole_number("HANDRAISE_RATE_UPLOADS", 60)

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["apps.api.authentication.BearerToken", "apps.api.authentication.SessionCookie"],
    "DEFAULT_PERMISSION_CLASSES": ["apps.api.permissions.SignedInWithScope"],
    "DEFAULT_RENDERER_CLASSES": ["apps.api.renderers.JSON"],
    "DEFAULT_PARSER_CLASSES": ["apps.api.parsers.JSON"],
    "DEFAULT_SCHEMA_CLASS": "apps.api.schema.Operation",
    "EXCEPTION_HANDLER": "apps.api.errors.problem_handler",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Handraise",
    "VERSION": VERSION,
    "OAS_VERSION": "3.1.1",
    "CAMELIZE_NAMES": True,
    "COMPONENT_SPLIT_PATCH": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [],
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "config.logs.WithoutWords", "format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "filters": {"route": {"()": "config.logs.RouteForAddress"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        # SQL, request bodies and model traffic hold free text: these loggers never go below WARNING.
        "django.db.backends": {"level": "WARNING"},
        "openai": {"level": "WARNING"},
        "httpx2": {"level": "WARNING"},
        "httpcore2": {"level": "WARNING"},
        "daphne": {"level": "WARNING"},
        # Each refusal has a line of ours, so Django's own is left out. The text of a wrong Host is the client's.
        "django.request": {"level": "ERROR", "filters": ["route"]},
        "django.security.csrf": {"filters": ["route"]},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "markdown_it": {"level": "WARNING"},
    },
}
