import * as echarts from 'echarts';
import { color } from './api.js';

/** A chart that follows its element's size and the light or dark of the page. */
export class Chart {
    /** Parts of the option that are named are replaced as a whole, so that what is gone goes. */
    constructor(element, option, replaced = []) {
        this.option = option;
        this.replaced = replaced;
        this.chart = echarts.init(element, null, { renderer: 'svg' });
        this.watch = new ResizeObserver(() => this.chart.resize());
        this.watch.observe(element);
        this.scheme = window.matchMedia('(prefers-color-scheme: dark)');
        this.repaint = () => this.show(this.data);
        this.scheme.addEventListener('change', this.repaint);
    }

    show(data) {
        this.data = data;
        if (data) {
            this.chart.setOption({ animation: false, textStyle: { fontFamily: 'system-ui, sans-serif' }, ...this.option(data, color) },
                { replaceMerge: this.replaced });
        }
    }

    end() {
        this.watch.disconnect();
        this.scheme.removeEventListener('change', this.repaint);
        this.chart.dispose();
    }
}

export const tooltip = color => ({
    backgroundColor: color('--card'),
    borderColor: color('--line'),
    textStyle: { color: color('--text') },
});

export const axis = color => ({
    axisLine: { lineStyle: { color: color('--line') } },
    axisTick: { show: false },
    axisLabel: { color: color('--dim') },
    splitLine: { lineStyle: { color: color('--line') } },
});
