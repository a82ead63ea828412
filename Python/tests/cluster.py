"""A Spark of two executors on this machine."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def reason_against() -> str | None:
    """Why Spark cannot be tried here, if so."""
    try:
        import pyspark  # noqa: F401
    except ImportError:
        return "PySpark is not installed: pip install 'arc-format[spark]'"
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        return "Spark needs Java, and there is none: apt-get install default-jre-headless"
    return None


def start() -> SparkSession:
    """A driver, a master and two executors, each a process of its own; small, and without pages for browsers."""
    from pyspark.sql import SparkSession

    # Compiled quickly, not well: three machines of Java start, and none runs long.
    java = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1",
                      PYSPARK_SUBMIT_ARGS=f'--driver-java-options "{java}" pyspark-shell')
    settings = {
        "spark.executor.extraJavaOptions": java, "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1", "spark.driver.memory": "600m",
        "spark.executor.memory": "512m", "spark.sql.shuffle.partitions": "2", "spark.sql.session.timeZone": "UTC",
        "spark.sql.adaptive.enabled": "false", "spark.scheduler.minRegisteredResourcesRatio": "1.0"}
    builder = SparkSession.builder.master("local-cluster[2,1,512]").appName("arc-format")
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session
